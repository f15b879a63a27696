import { z } from 'zod';
import { moment, wholeNumber } from './fiat-transaction.ts';
import { anyOf } from './filter.ts';
import { merchantRoles, userRoles } from '../shared/roles.ts';
import { EMAIL, urlText, instantText, displayName, text } from './text.ts';

const identifier = z.int().min(1);
const userRole = z.enum(userRoles);
const assignedRole = z
  .enum(merchantRoles)
  .describe('`viewer` reads, `operator` reviews payments, `owner` also changes settings');

/** Email address to sign in with; case-insensitive. */
export const emailAddress = z
  .string()
  .max(254)
  .regex(EMAIL, { error: 'must be an email address' })
  .transform((address) => address.toLowerCase())
  .meta({ format: 'email' });

const emailText = z.string();

/** A member of a merchant. */
const person = z
  .object({
    id: identifier,
    email: emailText,
    name: z.string(),
    role: z.enum(merchantRoles),
    joinedAt: instantText,
    lastSeenAt: instantText.nullable(),
  })
  .meta({ id: 'Person' });

const openInvitation = z
  .object({ id: identifier, email: emailText, role: userRole, expiresAt: instantText })
  .meta({ id: 'Invitation' });

export const peopleResponse = z.object({ people: z.array(person), invitations: z.array(openInvitation) });

export const inviteRequest = z.strictObject({ email: emailAddress, role: assignedRole });
export const inviteResponse = z.object({
  invitation: openInvitation,
  link: urlText.describe('Shown only once; valid for seven days'),
  is_emailed: z.boolean().describe('True if the service also emails the link'),
});
export const personRequest = z.strictObject({ id: identifier.describe('ID from the list of members') });
export const personRoleRequest = z.strictObject({ id: identifier, role: assignedRole });
export const invitationRequest = z.strictObject({ id: identifier.describe('ID from the list of invitations') });

/** Filters of the audit log that also apply to service-wide entries, which have no user. */
export const auditFilters = z.strictObject({
  action: anyOf(z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, 'must be the name of an action')).describe(
    'Actions, such as `createWithdrawal` or `sign_in`',
  ),
  since: moment.optional().describe('At or after this time: a date (UTC), a date-time, or Unix seconds'),
  till: moment.optional().describe('Before this time: a date (inclusive), or a date-time or Unix seconds (exclusive)'),
});

export const auditQuery = z.strictObject({
  person: wholeNumber(Number.MAX_SAFE_INTEGER).optional().describe('Only entries of this user'),
  ...auditFilters.shape,
  cursor: text(64).optional().describe('The `next_cursor` of the previous page'),
  per_page: wholeNumber(100).optional(),
});

/** The state before and after, limited to the values that the action concerns. */
const auditState = z.unknown();

const auditEntry = z
  .object({
    id: identifier,
    at: instantText,
    person: z.object({ id: identifier, email: z.string(), name: z.string() }).nullable(),
    actor: z
      .string()
      .nullable()
      .describe('Actor other than a user: `token 12`, or `command line` with the operating system’s user name'),
    token: z
      .object({ id: identifier, name: z.string() })
      .nullable()
      .describe('The access token that is the `actor`, with its name, which may be empty; null for other actors'),
    action: z.string().describe('ID of an operation, or an account action such as `sign_in`'),
    subject: z.string().nullable().describe('Object of the action'),
    before: auditState,
    after: auditState,
    outcome: z
      .string()
      .describe('`done`, or the problem code; `started` if the process ended before the outcome was known'),
    address: z.string(),
    userAgent: z.string(),
    requestId: z.string(),
  })
  .meta({ id: 'AuditEntry' });

export const auditResponse = z.object({ entries: z.array(auditEntry), next_cursor: z.string().nullable() });

export const merchantsQuery = z.strictObject({
  search: text(100).optional().describe('Prefix of a name, or an ID'),
  cursor: text(64).optional().describe('The `next_cursor` of the previous page'),
  per_page: wholeNumber(100).optional(),
});
const merchant = z.object({ id: identifier, name: z.string(), createdAt: instantText }).meta({ id: 'Merchant' });
export const merchantsResponse = z.object({ merchants: z.array(merchant), next_cursor: z.string().nullable() });
export const createMerchantRequest = z.strictObject({ name: displayName(100) });
export const createMerchantResponse = z.object({
  merchant,
  callback_secret: z.string().describe('Shown only once'),
});
