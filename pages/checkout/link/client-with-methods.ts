import { savedInput } from './server-rendered-page.ts';
import { methods } from '../methods/methods.ts';
import { startLinkPage } from './start.ts';

void startLinkPage(savedInput, methods);
