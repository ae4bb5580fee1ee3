import { releasesSuite } from './suite.ts';

releasesSuite(2, 2);
