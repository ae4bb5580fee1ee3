import { releasesSuite } from './suite.ts';

releasesSuite(1, 2);
