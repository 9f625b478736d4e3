/** `GET /admin/roles/`: the ids of roles, and which roles the caller can assign. */
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();

const list = (key: string, query = '') => stack.call('roles/list', { path: `/admin/roles/${query}`, key });
const namesOf = (answer: { body: { roles: { name: string }[] } }) => answer.body.roles.map(({ name }) => name).sort();

describe('GET /admin/roles/', () => {
  it('returns 200 with ten roles of five fields each, without meta', async () => {
    const answer = await list(keys.integration);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['roles']);
    expect(namesOf(answer)).toEqual([
      'Admin Integration',
      'Administrator',
      'Author',
      'Contributor',
      'Editor',
      'Ghost Explore Integration',
      'Owner',
      'Scheduler Integration',
      'Self-Serve Migration Integration',
      'Super Editor',
    ]);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    for (const role of answer.body.roles) {
      expect(Object.keys(role)).toEqual(['id', 'name', 'description', 'created_at', 'updated_at']);
      expect(role).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        description: expect.any(String),
        created_at: time,
        updated_at: time,
      });
    }
    expect(new Set(answer.body.roles.map(({ id }: { id: string }) => id)).size).toBe(10);
  });

  it.each(['Owner', 'Administrator', 'Super Editor', 'Editor', 'Author', 'Contributor'])(
    'is open to the role %s',
    async (role) => {
      expect(namesOf(await list(keys.staff[role] ?? ''))).toHaveLength(10);
    },
  );
});

describe('?permissions=assign lists only the roles that the caller can assign', () => {
  const editors = ['Author', 'Contributor'];
  const integration = [...editors, 'Editor', 'Super Editor'];
  const administrator = ['Administrator', ...integration];
  it.each([
    ['Owner', administrator],
    ['Administrator', administrator],
    ['Super Editor', editors],
    ['Editor', editors],
    ['Author', []],
    ['Contributor', []],
  ])('for %s: %j', async (role, names) => {
    const answer = await list(keys.staff[role] ?? '', '?permissions=assign');
    expect(answer.status).toBe(200);
    expect(namesOf(answer)).toEqual(names);
  });

  it('for an integration: all except Administrator and Owner', async () => {
    expect(namesOf(await list(keys.integration, '?permissions=assign'))).toEqual(integration);
  });

  it('and other parameters are ignored, as in Ghost', async () => {
    expect(namesOf(await list(keys.integration, '?limit=all&fields=id'))).toHaveLength(10);
  });
});

describe('another value of permissions returns 422 ValidationError', () => {
  it.each(['', 'Assign', 'edit', 'assign,edit', '__proto__', `${'x'.repeat(4000)}`])('%s', async (value) => {
    const error = expectRefusal(await list(keys.owner, `?permissions=${value}`), {
      status: 422,
      type: 'ValidationError',
      property: 'permissions',
    });
    expect(error.help).toContain('permissions=assign');
    expect(error.message.length).toBeLessThan(200);
  });
});
