/** The keys of a local stack: made once, kept beside the data, and put into the table at every start. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';

const keySchema = v.object({ id: v.string(), secret: v.string() });

const keysSchema = v.object({
  staff: v.array(v.object({ email: v.string(), name: v.string(), role: v.string(), key: keySchema })),
  integrations: v.array(v.object({ name: v.string(), canPublish: v.boolean(), key: keySchema })),
});

/** What the function `setup/seed` takes. */
export type Keys = v.InferOutput<typeof keysSchema>;

const roles = ['Owner', 'Administrator', 'Super Editor', 'Editor', 'Author', 'Contributor'];

/** The keys in the file; where it is absent they are made and written to it, for nobody else to read. */
export const keepKeys = (file: string): Keys => {
  if (existsSync(file)) return v.parse(keysSchema, JSON.parse(readFileSync(file, 'utf8')));
  const keys = makeKeys();
  writeFileSync(`${file}.new`, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return keys;
};

/** One staff member of each role, an integration that may publish events, and another that may not. */
export const makeKeys = (): Keys => {
  const key = () => ({ id: randomBytes(12).toString('hex'), secret: randomBytes(32).toString('hex') });
  return {
    staff: roles.map((role) => ({
      email: `${role.toLowerCase().replace(' ', '-')}@masthead.example`,
      name: `Olive ${role}`,
      role,
      key: key(),
    })),
    integrations: [
      { name: 'Demo integration', canPublish: true, key: key() },
      { name: 'Other integration', canPublish: false, key: key() },
    ],
  };
};

/** A key as clients take it. */
export const keyText = ({ key }: { readonly key: { readonly id: string; readonly secret: string } }): string =>
  `${key.id}:${key.secret}`;
