/** The invites in the examples of the OpenAPI document. */
import { roleId } from '../accounts/role.ts';
import { exampleOf } from '../foundation/example-of.ts';
import { type ErrorCase, failure, forbidden } from '../http/documentation.ts';
import { inviteResource } from './resource.ts';

export const notAssignable = forbidden('the caller cannot assign the role of this invite');
export const registered = (when: string): ErrorCase =>
  failure('ValidationError', when, { property: 'email', code: 'USER_ALREADY_REGISTERED' });
export const stopped = failure('NoPermissionError', 'too many of the last mails of the caller bounced', {
  code: 'INVITES_STOPPED',
});
export const accepted = registered('the invite has been accepted');

export const at = '2026-11-21T09:20:00.000Z';
const invite = (given: { readonly id: string; readonly email: string; readonly role_id: string }) => ({
  ...exampleOf(inviteResource, { ...given, status: 'pending', created_at: at, updated_at: at }),
  ...given,
});
export const ada = invite({ id: '019acb5b70d1a1b2c3d4e5f6', email: 'Ada@example.com', role_id: roleId('Author') });
export const grace = invite({ id: '019acb5b02a3a1b2c3d4e5f6', email: 'grace@example.com', role_id: roleId('Editor') });
export const linus = invite({ id: '019acb5b02a4a1b2c3d4e5f6', email: 'linus@example.com', role_id: roleId('Editor') });
export const margaret = invite({
  id: '019acb5b9100a1b2c3d4e5f6',
  email: 'margaret@example.com',
  role_id: roleId('Author'),
});

const margaretsToken = `${margaret.id}m1n2b3v4c5x6y7l8k9j0h1g2f3d4s5a6p7o8i9u0z1t`;
export const margaretsLink = `https://example.com/ghost/api/invitation/${margaretsToken}/`;

export const tokens: Readonly<Record<string, string>> = {
  [ada.email]: `${ada.id}q1w2e3r4t5z6u7i8o9p0a1s2d3f4g5h6j7k8l9y0x1c`,
  [grace.email]: `${grace.id}y1x2c3v4b5n6m7a8s9d0f1g2h3j4k5l6q7w8e9r0t1z`,
};
export const token = (email: string): string => tokens[email] ?? '';

export const unknownLink = { status: 404, when: 'the link never existed' };
export const deadLink = {
  status: 410,
  when: 'the link was used, has expired, was revoked or was replaced; the page shows which',
};
