import { SHELL, type Task } from './ledger.ts';

/** How long a follow-up turn may take to begin, in ms: where one always comes, and where one may come (G4). */
export const SURE_MS = 3000;
export const MAYBE_MS = 900;
/** After a bare `idle`: frames on their way. */
export const SETTLE_MS = 45;
/** `running` came up to 124 ms after a notification that came between a result and its `idle`. */
const CROSSING_MS = 250;
const STOPPED = /^(killed|stopped|cancell?ed|aborted)$/;

/** A task that ended and whose news no turn has taken up yet. */
interface Item {
  tool: string;
  agent: boolean;
  owned: boolean;
  /** Ended while a turn was running, which may take the news up itself. */
  inTurn: boolean;
  /** Ended so soon after a result that the next `idle` is that turn's. */
  crossing: boolean;
  until: number;
}

/** Notifications that no turn has taken up (G1), each with the time up to which one may come. */
export interface News {
  /**
   * A task has ended, or more is heard of one that has (`task`: undefined).
   * @param when `inTurn`: a turn is running, which may take the news up itself; `sure`: the model is being told, or
   *   session state will tell; `sinceResult`: ms since the last result
   */
  add(
    id: string,
    task: Task | undefined,
    status: string,
    when: { inTurn: boolean; sure: boolean; sinceResult: number },
  ): void;
  /** The call's task was a foreground one: its end wakes nobody. */
  foreground(tool: string): void;
  /** A turn begins and takes up the oldest. Whether there was one. */
  takeUp(): boolean;
  turnEnded(): void;
  idle(): void;
  until(): number[];
}

export function createNews(now: () => number): News {
  /** By the task's id, the oldest first. */
  const items = new Map<string, Item>();
  return {
    add(id, task, status, { inTurn, sure, sinceResult }) {
      const known = items.get(id);
      const agent = task ? !SHELL.test(task.type) : known?.agent;
      // A stopped shell wakes nobody, on any release.
      const silent = STOPPED.test(status) && agent === false;
      if (known && !task && !silent) {
        if (sure && !known.inTurn) known.until = Math.max(known.until, now() + SURE_MS);
        return;
      }
      // A task that ran again, or a monitor that tells more, has its news anew.
      items.delete(id);
      if (!task || silent) return;
      const until = now() + (sure && !inTurn ? SURE_MS : MAYBE_MS);
      const { tool, owned } = task;
      items.set(id, { tool, agent: agent === true, owned, inTurn, crossing: sinceResult < 100, until });
    },
    foreground(tool) {
      for (const [id, item] of items) if (tool && item.tool === tool) items.delete(id);
    },
    takeUp() {
      const [oldest] = items.keys();
      return oldest !== undefined && items.delete(oldest);
    },
    turnEnded() {
      for (const item of items.values()) {
        item.inTurn = true;
        item.until = now() + MAYBE_MS;
      }
    },
    idle() {
      // Idle after a result: no turn is left for what was known then. A shell's news that came later and leaves the
      // session idle wakes nobody, but for the subagent that owns it: 26 ms later it goes on (0.3.283 and later). A
      // stopped agent's wakes, though `idle` comes in between (0.3.205).
      for (const [id, item] of items) {
        if (item.inTurn) items.delete(id);
        if (item.inTurn || item.agent) continue;
        const more = item.owned ? MAYBE_MS : item.crossing ? CROSSING_MS : SETTLE_MS;
        item.crossing = false;
        item.until = Math.min(item.until, now() + more);
      }
    },
    until: () => [...items.values()].map(({ until }) => until),
  };
}
