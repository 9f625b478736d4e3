/** `GET /admin/users/slug/{member_slug}/`: returns the staff member with a slug, on request with the role. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/accounts/example.ts';
import { findBySlug } from '../../shared/accounts/find-staff.ts';
import { userResource } from '../../shared/accounts/resource.ts';
import { included, showUsers } from '../../shared/accounts/show-users.ts';
import { type Documentation, invalid, notFound } from '../../shared/http/documentation.ts';

export const handler = endpoint({
  line: 'users/read-by-slug',
  answer: { status: 200, root: 'users', item: userResource },
  query: { include: included },
  handle: async ({ request, query, reply }) => {
    const member = await findBySlug(request.params.member_slug ?? '');
    return reply(await showUsers([member], query.include));
  },
});

export const documentation = (): Documentation => ({
  tag: 'Staff',
  summary: 'Get the staff member with a slug',
  errors: [notFound('no member has the slug'), invalid('slug', 'several members have it: the help names their ids')],
  examples: { ada: { summary: 'Ada', path: { member_slug: 'ada' }, answer: [example.ada] } },
});
