/** The keys of a local stack: created once, stored beside the data, and put into the table at every start. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { type Home, writePrivate } from './home.ts';

const keySchema = v.object({ id: v.string(), secret: v.string() });

const keysSchema = v.object({
  staff: v.array(v.object({ email: v.string(), name: v.string(), role: v.string(), key: keySchema })),
  integrations: v.array(v.object({ name: v.string(), canPublish: v.boolean(), key: keySchema })),
});

export type Keys = v.InferOutput<typeof keysSchema>;

const roles = ['Owner', 'Administrator', 'Super Editor', 'Editor', 'Author', 'Contributor'];

/** Returns the keys of this home, and creates them if it has none. */
export const keepKeys = (home: Home): Keys => {
  if (existsSync(home.keysFile)) return v.parse(keysSchema, JSON.parse(readFileSync(home.keysFile, 'utf8')));
  const keys = makeKeys();
  writePrivate(home, home.keysFile, keys);
  return keys;
};

/** Returns new keys: a staff member of each role, an integration that may publish events, and one that may not. */
export const makeKeys = (): Keys => ({
  staff: roles.map((role) => ({
    email: `${role.toLowerCase().replace(' ', '-')}@masthead.example`,
    name: `Olive ${role}`,
    role,
    key: makeKey(),
  })),
  integrations: [
    { name: 'Demo integration', canPublish: true, key: makeKey() },
    { name: 'Other integration', canPublish: false, key: makeKey() },
  ],
});

/** Returns a new Admin API key. */
export const makeKey = () => ({ id: randomBytes(12).toString('hex'), secret: randomBytes(32).toString('hex') });

/** Returns a key in the form that clients use, `<id>:<secret>`. */
export const keyText = ({ key }: { readonly key: { readonly id: string; readonly secret: string } }): string =>
  `${key.id}:${key.secret}`;
