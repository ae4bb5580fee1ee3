import type { Scenario } from './scenario.ts';
import { subagent } from './subagent.ts';

export const stringPrompt = {
  id: 'S2',
  title: 'a subagent outlives the turn of a string prompt',
  prompts: ['string'],
  story: subagent.story,
} satisfies Scenario;
