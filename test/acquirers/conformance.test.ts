// Databases: sqlite
import { subjects } from './conformance/subjects.ts';
import { conformance } from './conformance/suite.ts';

for (const subject of subjects) conformance(subject);
