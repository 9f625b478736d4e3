/** Converts v3 to v2: posts without mail and reading time, tags with their original fields only. */
import { isJsonObject } from '../../foundation/exact-json.ts';
import { type Body, changeParts, type Fields, omit, pick } from './body.ts';

/**
 * Removes three fields of posts (api/v2/utils/serializers/output/utils/mapper.js, 062ec15b; extra-attrs.js, against
 * v3's), and all but eleven of tags, alone or on posts and pages (`tag` of clean.js beside it, f1661a33).
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
