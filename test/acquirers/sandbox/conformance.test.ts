// Databases: sqlite
import { sandboxSubject } from '../conformance/sandbox-subject.ts';
import { conformance } from '../conformance/suite.ts';

conformance(sandboxSubject);
