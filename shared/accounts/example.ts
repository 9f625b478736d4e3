/** The staff member in the examples of the OpenAPI document, and the sessions of that member. */
import { exampleOf } from '../foundation/example-of.ts';
import { ghostRoles } from '../foundation/ghost-roles.ts';
import { forbidden } from '../http/documentation.ts';
import { roleResource, sessionResource, userResource } from './resource.ts';
import { roleId } from './role.ts';

export const owner = 'b6b2d9f0a1c3e5d7f9081726';
export const id = '019acb5e0a10a1b2c3d4e5f6';
export const email = 'Ada@example.com';
const joined = '2026-11-21T09:20:00.000Z';
export const ada = exampleOf(userResource, {
  id,
  name: 'Ada',
  slug: 'ada',
  email,
  status: 'active',
  created_at: joined,
  updated_at: joined,
});
export const renamed = { ...ada, name: 'Ada Lovelace', updated_at: '2026-11-21T09:25:00.000Z' };

export const otherMember = forbidden(
  'the id is that of another staff member, and the caller is neither the Owner nor an Administrator',
);
export const ofOwner = forbidden('only the Owner can change the Owner');
export const otherOrigin = forbidden(
  "the request has an `Origin` other than the API's, or a session cookie without `Origin`",
);

export const deadLink = { status: 404, when: 'the link is unknown, was used or has expired' };

/** Placeholders for the tokens in the mails with sign-in links, in their order. */
export const signInTokens = [
  'Xq1w2e3r4t5z6u7i8o9p0a1s2d3f4g5h6j7k8l9y0x1',
  'Yq1w2e3r4t5z6u7i8o9p0a1s2d3f4g5h6j7k8l9y0x1',
  'Zq1w2e3r4t5z6u7i8o9p0a1s2d3f4g5h6j7k8l9y0x1',
] as const;

const session = (sessionId: string, time: string) => ({
  ...exampleOf(sessionResource, {
    id: sessionId,
    user_id: id,
    device: 'Firefox on Linux',
    created_at: `2026-11-21T09:${time}:00.000Z`,
    last_seen_at: `2026-11-21T09:${time}:00.000Z`,
    expires_at: `2026-11-21T21:${time}:00.000Z`,
    current: true,
  }),
  id: sessionId,
});
export const first = session('019acb61a0b0a1b2c3d4e5f6', '40');
export const second = session('019acb61a0b1a1b2c3d4e5f6', '50');
export const third = session('019acb61a0b2a1b2c3d4e5f6', '55');

const seeded = '2026-11-21T08:00:00.000Z';
export const role = (name: string) =>
  exampleOf(roleResource, {
    id: roleId(name),
    ...ghostRoles.find((one) => one.name === name),
    created_at: seeded,
    updated_at: seeded,
  });
