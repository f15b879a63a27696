import type { PersonRole } from '../../../src/shared/roles.ts';

export interface TeamPerson {
  id: number;
  email: string;
  name: string;
  role: PersonRole;
  joinedAt: string;
  lastSeenAt: string | null;
}

export interface InvitedPerson {
  id: number;
  email: string;
  role: PersonRole;
  expiresAt: string;
}

/** Answer of `GET /v1/people`. */
export interface People {
  people: readonly TeamPerson[];
  invitations: readonly InvitedPerson[];
}

/** Answer of `POST /v1/people/invite`. */
export interface Invited {
  invitation: InvitedPerson;
  link: string;
}
