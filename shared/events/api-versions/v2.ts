/** Converts v3 to v2: posts without mail and reading time, tags with their original fields only. */
import { isJsonObject } from '../../foundation/exact-json.ts';
import { type Body, changeParts, type Fields, omit, pick } from './body.ts';

/**
 * Posts and pages have no `reading_time`, `send_email_when_published` and `email_subject`.
 * Source: `mapPost` of api/v2/utils/serializers/output/utils/mapper.js (commit 062ec15b); extra-attrs.js beside it, against the one of v3.
 * Tags, alone and on posts and pages, have eleven fields. Source: `tag` of clean.js in the same folder (commit f1661a33).
 */
export const toV2 = (body: Body): Body => {
  const post = changeParts(body, 'post', withoutMail);
  const page = changeParts(post, 'page', withoutMail);
  return changeParts(page, 'tag', firstFields);
};

const withoutMail = (fields: Fields): Fields => {
  const others = omit(fields, ['reading_time', 'send_email_when_published', 'email_subject']);
  return Object.fromEntries(
    Object.entries(others).map(([name, value]) => [
      name,
      name === 'tags' || name === 'primary_tag' ? ofTags(value) : value,
    ]),
  );
};

const ofTags = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ofTags);
  return isJsonObject(value) ? firstFields(value) : value;
};

const firstFields = (tag: Fields): Fields => pick(tag, tagFields);

const tagFields = [
  'created_at',
  'description',
  'feature_image',
  'id',
  'meta_description',
  'meta_title',
  'name',
  'slug',
  'updated_at',
  'url',
  'visibility',
];
