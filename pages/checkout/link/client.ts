import { savedInput } from './server-rendered-page.ts';
import { startLinkPage } from './start.ts';

void startLinkPage(savedInput, null);
