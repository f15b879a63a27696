import { savedInput } from './server-rendered-page.ts';
import { methods } from '../methods/methods.ts';
import { start } from './start.ts';

void start(savedInput, methods);
