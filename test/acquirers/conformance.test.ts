// Databases: sqlite
import { sandboxSubject } from './conformance/sandbox-subject.ts';
import { adyenEncryptedSubject, adyenSubject, hyperswitchSubject, xenditSubject } from './conformance/subject.ts';
import { conformance } from './conformance/suite.ts';

conformance(sandboxSubject);
conformance(hyperswitchSubject);
conformance(adyenSubject);
conformance(adyenEncryptedSubject);
conformance(xenditSubject);
