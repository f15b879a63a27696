import { cardCapabilityOf } from './bench.ts';
import { sandboxSubject } from './sandbox-subject.ts';
import { adyenEncryptedSubject, adyenSubject, hyperswitchSubject, type Subject, xenditSubject } from './subject.ts';

/** All subjects: a new adapter adds its own here. */
export const subjects: readonly Subject[] = [
  sandboxSubject,
  hyperswitchSubject,
  adyenSubject,
  adyenEncryptedSubject,
  xenditSubject,
];

/** One subject of each adapter that charges cards. */
export const cardSubjects = subjects.filter(
  (subject) => subject.variant === undefined && cardCapabilityOf(subject) !== null,
);
