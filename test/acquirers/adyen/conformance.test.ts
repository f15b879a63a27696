// Databases: sqlite
import { adyenSubject } from '../conformance/subject.ts';
import { conformance } from '../conformance/suite.ts';

conformance(adyenSubject);
