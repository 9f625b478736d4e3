/** What a member may do by role. The views hide what the API would refuse (docs/compatibility.md, "Roles"). */
import type { User } from './api/resources.ts';

const administrators: readonly string[] = ['Owner', 'Administrator'];
const inviters: readonly string[] = [...administrators, 'Super Editor', 'Editor'];

const isOneOf = ({ roles = [] }: User, names: readonly string[]): boolean =>
  roles.some(({ name }) => names.includes(name));

export const isOwner = (user: User): boolean => isOneOf(user, ['Owner']);

/** Whether the member sees staff, integrations, webhooks and deliveries. */
export const isAdministrator = (user: User): boolean => isOneOf(user, administrators);

/** Whether the member sees invitations and invites people. */
export const canInvite = (user: User): boolean => isOneOf(user, inviters);
