/** Invoked by the operator, who generates the keys: creates roles, staff and integrations that do not exist yet. */
import * as v from 'valibot';
import { watched } from '../../shared/aws/watched.ts';
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
  /** Changes nothing if there is an Owner who has none of these keys. */
  onlyFirst: v.optional(v.boolean(), false),
});

interface Answer {
  readonly seeded: { readonly staff: number; readonly integrations: number };
  /** The address of the existing Owner, if there is one; then nothing was changed. */
  readonly owner?: string;
}

/** @throws for an invalid request; the error names the fields, never their values, which include keys */
export const handler = watched(async (event: unknown): Promise<Answer> => {
  const parsed = v.safeParse(request, event);
  if (!parsed.success) {
    const fields = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'the event'} (${issue.type})`);
    throw new Error(`The request has invalid fields: ${fields.join(', ')}.`);
  }
  const { staff, integrations, onlyFirst } = parsed.output;
  const owner = onlyFirst ? await ownerWithOtherKey({ staff }) : undefined;
  if (owner !== undefined) return { seeded: { staff: 0, integrations: 0 }, owner };
  await seed({ staff, integrations }, settings().roles, systemClock());
  return { seeded: { staff: staff.length, integrations: integrations.length } };
});
