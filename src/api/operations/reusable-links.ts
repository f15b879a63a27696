import { operation } from '../operation.ts';
import {
  archiveReusableLinkRequest,
  createReusableLinkRequest,
  reusableLink,
  reusableLinkQuery,
  reusableLinksQuery,
  reusableLinksResponse,
  updateReusableLinkRequest,
} from '../reusable-link.ts';

const id = 'Yk9sVQ0p3mM7hZf2';
const product = {
  title: 'Pottery workshop',
  description: 'Saturday, 10:00 to 13:00. Clay and tea included.',
  country: 'USA',
  currency: 'USD',
  payment_method: 'credit_card',
  amount: 45,
  quantity: { minimum: 1, maximum: 4 },
  stock: 12,
  ask: ['email'],
} as const;
const stored = {
  ...product,
  ask: ['email'] as ('email' | 'name')[],
  id,
  url: `https://pay.example/b/${id}`,
  status: 'active' as const,
  image_url: null,
  type_of_calculation: 'forward_without_fee' as const,
  custom_amount: null,
  success_redirect_url: null,
  fail_redirect_url: null,
  metadata: null,
  sold: 0,
  reserved: 0,
  available: 12,
  revenue: 0,
  created_at: '2026-11-21T09:00:00.000000Z',
  updated_at: '2026-11-21T09:00:00.000000Z',
};

export const createReusableLink = operation({
  id: 'createReusableLink',
  isAudited: true,
  method: 'POST',
  path: '/fiat/v1/reusable-links',
  group: 'reusableLinks',
  scope: 'link:write',
  summary: 'Create a reusable link',
  description:
    'Its page creates a transaction with a separate payment link for every buyer. With `stock`, open transactions reserve their quantity for at most 30 minutes, and never more than the stock is sold. A late payment for an expired transaction is still accepted: `sold` can then exceed `stock`.',
  body: createReusableLinkRequest,
  response: reusableLink,
  problems: [],
  examples: [{ summary: 'A workshop with twelve seats', body: product, response: stored }],
});

export const listReusableLinks = operation({
  id: 'listReusableLinks',
  method: 'GET',
  path: '/fiat/v1/reusable-links',
  group: 'reusableLinks',
  scope: 'transaction:read',
  summary: 'List reusable links',
  query: reusableLinksQuery,
  response: reusableLinksResponse,
  problems: [],
  examples: [
    {
      summary: 'Active links',
      query: { status: 'active' },
      response: { reusable_links: [stored], next_cursor: null },
    },
  ],
});

export const getReusableLink = operation({
  id: 'getReusableLink',
  method: 'GET',
  path: '/fiat/v1/reusable-link',
  group: 'reusableLinks',
  scope: 'transaction:read',
  summary: 'Retrieve a reusable link',
  query: reusableLinkQuery,
  response: reusableLink,
  problems: ['not_found'],
  examples: [{ summary: 'Link', query: { id }, response: stored }],
});

export const updateReusableLink = operation({
  id: 'updateReusableLink',
  isAudited: true,
  method: 'PATCH',
  path: '/fiat/v1/reusable-link',
  group: 'reusableLinks',
  scope: 'link:write',
  summary: 'Change a reusable link',
  description:
    'Omitted fields stay unchanged. Open transactions keep their price. `amount` replaces `custom_amount`, and vice versa.',
  body: updateReusableLinkRequest,
  response: reusableLink,
  problems: ['not_found'],
  examples: [
    {
      summary: 'Three more seats',
      body: { id, stock: 15 },
      response: { ...stored, stock: 15, available: 15, updated_at: '2026-11-21T10:00:00.000000Z' },
    },
  ],
});

export const archiveReusableLink = operation({
  id: 'archiveReusableLink',
  isAudited: true,
  method: 'POST',
  path: '/fiat/v1/reusable-link/archive',
  group: 'reusableLinks',
  scope: 'link:write',
  summary: 'Archive a reusable link',
  description: 'Its page accepts no new buyers. Open transactions can still be paid.',
  body: archiveReusableLinkRequest,
  response: reusableLink,
  problems: ['not_found'],
  examples: [
    {
      summary: 'After the workshop',
      body: { id },
      response: {
        ...stored,
        ...{ stock: 15, available: 15, status: 'archived', updated_at: '2026-11-21T11:00:00.000000Z' },
      },
    },
  ],
});
