/** The methods that a path allows, for several base paths. */
import { describe, expect, it } from 'vitest';
import { allowedMethods } from '../../shared/http/routes.ts';

describe('the allowed methods', () => {
  it.each([
    ['/ghost/api/admin/webhooks/', '/ghost/api', ['POST', 'OPTIONS']],
    ['/ghost/api/admin/webhooks', '/ghost/api', ['POST', 'OPTIONS']],
    ['/admin/webhooks/', '', ['POST', 'OPTIONS']],
    ['/a/b/c/admin/roles/', '/a/b/c', ['GET', 'HEAD', 'OPTIONS']],
    ['/ghost/api/admin/webhooks/anything', '/ghost/api', ['PUT', 'DELETE', 'OPTIONS']],
    ['/ghost/api/admin/webhooks/preview/', '/ghost/api', ['POST', 'OPTIONS']],
    ['/ghost/api/admin/webhooks/a%2Fb', '/ghost/api', ['PUT', 'DELETE', 'OPTIONS']],
  ])('of %s with the base path %j are %j', (path, base, methods) => {
    expect(allowedMethods(path, base)).toEqual(methods);
  });

  it.each([
    ['/admin/webhooks/', '/ghost/api'],
    ['/ghost/apiadmin/webhooks/', '/ghost/api'],
    ['/ghost/api', '/ghost/api'],
    ['/ghost/api/', '/ghost/api'],
    ['/ghost/api/admin/webhooks//', '/ghost/api'],
    ['/ghost/api//admin/webhooks/', '/ghost/api'],
    ['/ghost/api/admin/WEBHOOKS/', '/ghost/api'],
    ['/ghost/api/admin/webhooks/a/b/c/d/e', '/ghost/api'],
    ['', ''],
    ['/', ''],
  ])('of %s with the base path %j are none', (path, base) => {
    expect(allowedMethods(path, base)).toEqual([]);
  });
});
