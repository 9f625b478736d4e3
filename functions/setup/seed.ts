/**
 * Invoked by whoever runs the stage: puts the roles, and the staff and integrations that are described, where they are absent.
 * The caller makes the keys, so that none is lost between the table and the reader; doing it twice changes nothing.
 */
import * as v from 'valibot';
import { systemClock } from '../../shared/foundation/clock.ts';
import { emailAddress } from '../../shared/foundation/email.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { idPattern } from '../../shared/foundation/ids.ts';
import { ownerWithOtherKey, seed } from '../../shared/setup/seed.ts';

const key = v.object({
  id: v.pipe(v.string(), v.regex(idPattern)),
  secret: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});

const request = v.object({
  staff: v.optional(v.array(v.object({ email: emailAddress(), name: v.string(), role: v.string(), key })), []),
  integrations: v.optional(v.array(v.object({ name: v.string(), canPublish: v.boolean(), key })), []),
  /** Puts nothing where there is an Owner already who has none of these keys. */
  onlyFirst: v.optional(v.boolean(), false),
});

interface Answer {
  readonly seeded: { readonly staff: number; readonly integrations: number };
  /** Address of the Owner because of whom nothing was put. */
  readonly owner?: string;
}

/** @throws where the description does not fit; the error names fields and never their values, since keys are among them */
export const handler = async (event: unknown): Promise<Answer> => {
  const parsed = v.safeParse(request, event);
  if (!parsed.success) {
    const fields = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'the event'} (${issue.type})`);
    throw new Error(`The description of what to seed does not fit: ${fields.join(', ')}.`);
  }
  const { staff, integrations, onlyFirst } = parsed.output;
  const owner = onlyFirst ? await ownerWithOtherKey({ staff }) : undefined;
  if (owner !== undefined) return { seeded: { staff: 0, integrations: 0 }, owner };
  await seed({ staff, integrations }, settings().roles, systemClock());
  return { seeded: { staff: staff.length, integrations: integrations.length } };
};
