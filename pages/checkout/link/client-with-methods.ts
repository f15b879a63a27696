import { typedSoFar } from './drawn-page.ts';
import { methods } from '../methods/methods.ts';
import { start } from './start.ts';

void start(typedSoFar, methods);
