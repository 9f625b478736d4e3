/** Converts v4 to v3: a boolean shows whether a post is mailed, pages have no mail fields, subscriptions of members are Stripe's. */
import { type Body, changeParts, type Fields, omit } from './body.ts';

/**
 * Posts have `send_email_when_published` beside `email_recipient_filter`; pages have nothing about mail.
 * Source: `mapPost` and `mapPage` of api/v3/utils/serializers/output/utils/mapper.js in Ghost 4 (commit 0a7f4f6d).
 * Members have `stripe.subscriptions` instead of `subscriptions`, and no products.
 * Source: `serializeMember` of api/v3/utils/serializers/output/members.js in Ghost 4 (commit 2a956587).
 */
export const toV3 = (body: Body): Body => {
  const post = changeParts(body, 'post', withSendEmail);
  const page = changeParts(post, 'page', (fields) => omit(fields, ['email_subject', 'email_recipient_filter']));
  return changeParts(page, 'member', withStripe);
};

const withSendEmail = (fields: Fields): Fields => {
  if (!('email_recipient_filter' in fields)) return fields;
  return { ...fields, send_email_when_published: fields.email_recipient_filter !== 'none' };
};

const withStripe = (fields: Fields): Fields => {
  const others = omit(fields, ['subscriptions', 'products']);
  return 'subscriptions' in fields ? { ...others, stripe: { subscriptions: fields.subscriptions } } : others;
};
