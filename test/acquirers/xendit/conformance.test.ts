// Databases: sqlite
import { xenditSubject } from '../conformance/subject.ts';
import { conformance } from '../conformance/suite.ts';

conformance(xenditSubject);
