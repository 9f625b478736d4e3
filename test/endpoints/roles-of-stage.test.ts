/** Additional roles of a stage, which the seed writes and which only the named roles can assign. */
import { describe, expect, it } from 'vitest';
import { parseStage } from '../../infra/cdk/parse-stage.ts';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack({
  roles: [
    { name: 'Photographer', description: 'Uploads pictures', assignableBy: ['Editor', 'integration'] },
    { name: 'Auditor' },
  ],
});
const keys = await stack.seed();
const { roles, invite, stored } = await inviting(stack, keys);

const assignable = async (key: string) => {
  const { body } = await stack.call('roles/list', { path: '/admin/roles/?permissions=assign', key });
  return body.roles.map(({ name }: { name: string }) => name).sort();
};

describe('a role of the stage', () => {
  it("is listed with its description after Ghost's ten roles", async () => {
    const { body } = await stack.call('roles/list', { path: '/admin/roles/', key: keys.owner });
    expect(body.roles).toHaveLength(12);
    expect(body.roles).toContainEqual(
      expect.objectContaining({ id: roles.Photographer, name: 'Photographer', description: 'Uploads pictures' }),
    );
  });

  it('can be assigned by the Owner, by Administrators, and by the roles that the stage names', async () => {
    const { Administrator = '', Editor = '', 'Super Editor': superEditor = '', Author = '' } = keys.staff;
    for (const key of [keys.owner, Administrator])
      expect(await assignable(key)).toEqual([
        'Administrator',
        'Auditor',
        'Author',
        'Contributor',
        'Editor',
        'Photographer',
        'Super Editor',
      ]);
    expect(await assignable(keys.integration)).toEqual([
      'Author',
      'Contributor',
      'Editor',
      'Photographer',
      'Super Editor',
    ]);
    expect(await assignable(Editor)).toEqual(['Author', 'Contributor', 'Photographer']);
    expect(await assignable(superEditor)).toEqual(['Author', 'Contributor']);
    expect(await assignable(Author)).toEqual([]);
  });

  it('appears in the invite and its mail', async () => {
    const email = newAddress();
    const { Editor = '' } = keys.staff;
    const answer = await invite([{ email, role_id: roles.Photographer }], Editor);
    expect(answer.status).toBe(201);
    expect((await stored(answer.body.invites[0].id)).role).toBe('Photographer');
    await stack.drain('mail');
    expect((await stack.mailsTo(email))[0]?.body.text).toContain('Photographer');
    expectRefusal(await invite([{ email: newAddress(), role_id: roles.Auditor }], Editor), {
      status: 403,
      type: 'NoPermissionError',
    });
  });

  it('is not changed by a second seed', async () => {
    await stack.seed();
    const { body } = await stack.call('roles/list', { path: '/admin/roles/', key: keys.owner });
    expect(body.roles).toHaveLength(12);
  });
});

describe('the configuration of a stage', () => {
  const stage = {
    region: null,
    publication: { name: 'Test', url: 'https://example.org' },
    mail: { from: 'desk@example.org' },
  };

  it('is refused if a role has the name of another role, or an unknown role may assign it', () => {
    expect(() => parseStage('test', { ...stage, roles: [{ name: 'editor' }] })).toThrow(/roles\.0\.name/);
    expect(() => parseStage('test', { ...stage, roles: [{ name: 'Auditor' }, { name: 'auditor' }] })).toThrow(/roles/);
    expect(() => parseStage('test', { ...stage, roles: [{ name: 'Auditor', assignableBy: ['Author'] }] })).toThrow(
      /roles\.0\.assignableBy\.0/,
    );
  });
});
