/** Finds a staff member by the address or the slug in a path, as clients of Ghost do. */
import { NotFoundError, ValidationError } from '../foundation/errors.ts';
import { readAddress } from './address.ts';
import { type StaffMember, slugOfMember } from './staff-member.ts';
import { listStaffMembers, readStaffMember } from './staff-store.ts';

/** @throws NotFoundError */
export const findByAddress = async (parameter: string): Promise<StaffMember> => {
  const address = decoded(parameter);
  const guard = await readAddress(address);
  const member = guard?.holder === 'staff' ? await readStaffMember(guard.staff_id) : undefined;
  if (member === undefined) throw unknown('address', address);
  return member;
};

/** A script must not act on the wrong namesake. @throws NotFoundError, ValidationError if several have the slug */
export const findBySlug = async (parameter: string): Promise<StaffMember> => {
  const slug = decoded(parameter);
  const [member, ...others] = (await listStaffMembers()).filter((one) => slugOfMember(one) === slug);
  if (member === undefined) throw unknown('slug', slug);
  if (others.length > 0)
    throw new ValidationError(`${others.length + 1} staff members have the slug \`${slug}\`.`, {
      property: 'slug',
      help: `Use the id: ${[member, ...others].map(({ id }) => id).join(', ')}.`,
    });
  return member;
};

/** AWS does not document whether REST APIs decode the parameters of paths. */
const decoded = (parameter: string): string => {
  try {
    return decodeURIComponent(parameter);
  } catch {
    return parameter;
  }
};

const unknown = (what: string, value: string): NotFoundError =>
  new NotFoundError(`No staff member has the ${what} \`${value.slice(0, 191)}\`.`, {
    help: 'GET /admin/users/ lists the staff.',
  });
