// Databases: sqlite
import { hyperswitchSubject } from '../conformance/subject.ts';
import { conformance } from '../conformance/suite.ts';

conformance(hyperswitchSubject);
