/** A staff access token in Ghost's format. Only the response to the request that creates it contains its secret. */
import * as v from 'valibot';
import type { ApiKeyId, RoleId, StaffId } from '../foundation/ids.ts';
import { field, idSchema, present, type Resource, resource, timeSchema } from '../foundation/resource.ts';
import type { ApiKey } from './api-key.ts';
import { roleId } from './role.ts';
import type { StaffMember } from './staff-member.ts';

export const staffTokenResource = resource('StaffToken', {
  id: field(idSchema<ApiKeyId>(), 'The id of the key. The Admin API key is `id:secret`.'),
  type: field(v.picklist(['admin']), 'Always `admin`.'),
  secret: field(
    v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
    'The secret, without the id. Not returned again.',
    '5e'.repeat(32),
  ),
  user_id: field(idSchema<StaffId>(), 'The staff member.'),
  role_id: field(idSchema<RoleId>(), 'The role of the staff member.'),
  created_at: field(timeSchema, 'When the key was created.'),
  updated_at: field(timeSchema, 'When the key was created.'),
  last_seen_at: field(v.null(), 'Always null: present for clients of Ghost.'),
  last_seen_version: field(v.null(), 'Always null: present for clients of Ghost.'),
});

/** Presents a new key of a member. */
export const presentStaffToken = ({ id, role }: StaffMember, key: ApiKey): Resource<typeof staffTokenResource> =>
  present(staffTokenResource, {
    id: key.id,
    type: 'admin',
    secret: key.secret,
    user_id: id,
    role_id: roleId(role),
    created_at: key.created_at,
    updated_at: key.created_at,
    last_seen_at: null,
    last_seen_version: null,
  });
