import { savedInput } from './server-rendered-page.ts';
import { start } from './start.ts';

void start(savedInput, null);
