/** The payloads of published events, taken from the text of their request without changing a character of a number. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { exactPayloads } from '../../shared/events/exact-payloads.ts';

const edited = [{ event: 'post.edited' }];
const ofPost = (text: string): string =>
  exactPayloads(`{"events":[{"event":"post.edited","payload":${text}}]}`, edited)[0] ?? '';

describe('the payload of an event, taken from the request text', () => {
  it('keeps its numbers exactly as they were written', () => {
    const post = '{"current":{"a":1.0,"b":[1e400,-0],"c":{"d":12345678901234567890}},"previous":{"a":2.50}}';
    expect(ofPost(`{"post":${post}}`)).toBe(`{"post":${post}}`);
  });

  it('has only `current` and `previous`, in this order', () => {
    expect(ofPost('{"more":{"current":{"a":1.0}},"post":{"previous":{"b":1.0},"other":{},"current":{"a":2.0}}}')).toBe(
      '{"post":{"current":{"a":2.0},"previous":{"b":1.0}}}',
    );
    expect(ofPost('{"post":{"current":{"a":2.0}}}')).toBe('{"post":{"current":{"a":2.0},"previous":{}}}');
  });

  it('loses its white space, except in strings', () => {
    expect(ofPost('{ "post" : { "current" : { "a" : [ 1.0 ,\n\t"b c" ] } , "previous" : { } } }')).toBe(
      '{"post":{"current":{"a":[1.0,"b c"]},"previous":{}}}',
    );
  });

  it('keeps strings that look like JSON', () => {
    const text = '{"a":"}],\\"current\\":{\\\\","b":"\\\\","c":1.0}';
    expect(ofPost(`{"post":{"current":${text}}}`)).toBe(`{"post":{"current":${text},"previous":{}}}`);
  });

  it('is found even if its keys are escaped', () => {
    expect(ofPost('{"p\\u006fst":{"\\u0063urrent":{"a":1.0}}}')).toBe('{"post":{"current":{"a":1.0},"previous":{}}}');
  });

  it.each([
    ['the part', '{"post":{"current":{"a":1.0},"current":{"b":2.0}}}'],
    ['the resource', '{"post":{"current":{"a":1.0},"previous":{"c":3.0}},"post":{"current":{"b":2.0}}}'],
    ['the payload', '{"post":{"current":{"a":1.0},"previous":{"c":3.0}}},"payload":{"post":{"current":{"b":2.0}}}'],
  ])('is the last one if %s occurs twice, as in JSON.parse', (_, text) => {
    expect(ofPost(text)).toBe('{"post":{"current":{"b":2.0},"previous":{}}}');
  });

  it('is found without reading all earlier parts again for each further resource', () => {
    const looks = vi.spyOn(Object.getPrototypeOf(new Map().keys()), 'next');
    onTestFinished(() => looks.mockRestore());
    const parts = Array.from({ length: 300 }, (_, part) => `"p${part}":{}`);
    const others = Array.from({ length: 300 }, (_, resource) => `"r${resource}":{}`);
    const payload = ofPost(`{"post":{"current":{"a":1.0}},"many":{${parts}},${others}}`);
    expect(payload).toBe('{"post":{"current":{"a":1.0},"previous":{}}}');
    expect(looks.mock.calls.length).toBeLessThan(1000);
  });

  it('belongs to the event at the same place in the request', () => {
    const text =
      '{"meta":[[{"payload":{"post":{"current":{"a":9.0}}}}]],"events":[{"payload":{"post":{"current":{"a":1.0}}}},{"payload":{}},{"payload":{"tag":{"previous":{"b":1.0}}}}]}';
    expect(exactPayloads(text, [...edited, { event: 'site.changed' }, { event: 'tag.deleted' }])).toEqual([
      '{"post":{"current":{"a":1.0},"previous":{}}}',
      '{}',
      '{"tag":{"current":{},"previous":{"b":1.0}}}',
    ]);
  });

  it('equals the output of JSON.stringify for any value', () => {
    const part = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(part, part, fc.constantFrom(undefined, 1, '\t'), (current, previous, space) => {
        const post = JSON.parse(JSON.stringify({ current, previous }));
        const text = JSON.stringify({ events: [{ event: 'post.edited', payload: { post } }] }, null, space);
        expect(exactPayloads(text, edited)).toEqual([JSON.stringify({ post })]);
      }),
    );
  });
});
