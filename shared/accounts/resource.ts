/** The resources of staff: roles, members and sessions. Browsers read their types from here. */
import * as v from 'valibot';
import type { RoleId, SessionId, StaffId } from '../foundation/ids.ts';
import { field, idSchema, type Resource, resource, timeSchema, writable } from '../foundation/resource.ts';

export const roleResource = resource('Role', {
  id: field(idSchema<RoleId>(), 'The id of the role: the `role_id` of invites.'),
  name: field(v.string(), 'The name of the role.', 'Editor'),
  description: field(v.string(), 'A description for people.', 'Editors'),
  created_at: field(timeSchema, 'When the role was created.'),
  updated_at: field(timeSchema, 'When the role was last updated.'),
});

export type Role = Resource<typeof roleResource>;

/** Whether the keys of a member work. */
export const staffStatuses = ['active', 'inactive'] as const;
export type StaffStatus = (typeof staffStatuses)[number];

export const userResource = resource('User', {
  id: field(idSchema<StaffId>(), 'The id of the staff member.'),
  name: writable(field(v.string(), 'The name of the staff member.', 'Ada Lovelace')),
  slug: field(v.string(), 'A readable name, made of the first name that the member had.', 'ada-lovelace'),
  email: field(v.string(), 'The address of the staff member.', 'ada@example.com'),
  status: writable(
    field(
      v.picklist(staffStatuses),
      '`inactive` while the member is suspended. Those who were invited and have not joined are invites.',
    ),
  ),
  email_verified: field(
    v.boolean(),
    'Whether a mail has reached the address: false for a member who joined by a link without mail, until the first ' +
      'sign-in by mail.',
    true,
  ),
  last_seen: field(
    v.nullable(timeSchema),
    'When a key or a session of the member was last used, to the hour; null if not within 400 days.',
  ),
  created_at: field(timeSchema, 'When the member joined.'),
  updated_at: field(timeSchema, 'When name, role or status last changed.'),
  roles: field(v.optional(v.array(roleResource)), 'The role of the member, one; only with `include=roles`.'),
});

export type UserResource = Resource<typeof userResource>;

export const sessionResource = resource('Session', {
  id: field(idSchema<SessionId>(), 'The id of the session.'),
  user_id: field(idSchema<StaffId>(), 'The staff member.'),
  device: field(v.nullable(v.string()), 'The browser and system that signed in; null if unknown.', 'Firefox on Linux'),
  created_at: field(timeSchema, 'When the member signed in.'),
  last_seen_at: field(
    timeSchema,
    'When the session was last used, to the hour; the time of signing in within the first.',
  ),
  expires_at: field(timeSchema, 'When the session ends by itself: 12 hours later.'),
  current: field(v.boolean(), 'Whether the request belongs to this session.', true),
});
