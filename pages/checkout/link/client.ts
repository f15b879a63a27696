import { typedSoFar } from './drawn-page.ts';
import { start } from './start.ts';

void start(typedSoFar, null);
