import type { OpenAPIObject } from '@nestjs/swagger';
import { closeBodies } from '../../../src/api-kit/openapi/document';
import { addExamples } from '../../../src/api-kit/openapi/complete-examples';

const json = (name: string) => ({
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
});

/** A document with one operation, which takes a Body and returns an App. */
const aDocument = (fields: Record<string, object>) =>
  ({
    components: {
      schemas: {
        Body: { type: 'object', properties: { name: { type: 'string', example: 'Shop' } } },
        App: { type: 'object', properties: fields },
        Team: { type: 'object', properties: { id: { type: 'string', example: 'ABCDE12345' } } },
      },
    },
    paths: { '/apps': { post: { requestBody: json('Body'), responses: { 201: json('App') } } } },
  }) as unknown as OpenAPIObject;

const team = { $ref: '#/components/schemas/Team' };

test('examples are composed of the examples of fields', () => {
  const document = aDocument({
    name: { type: 'string', example: 'Shop' },
    limit: { type: 'integer', default: 10 },
    removed_at: { type: ['string', 'null'], example: null },
    team,
    former: { anyOf: [team, { type: 'null' }], description: 'The former team.' },
    teams: { type: 'array', items: team },
  });
  addExamples(document);
  const { requestBody, responses } = document.paths['/apps']!.post!;
  const id = { id: 'ABCDE12345' };
  expect([requestBody, responses['201']]).toMatchObject([
    { content: { 'application/json': { examples: { Body: { value: { name: 'Shop' } } } } } },
    {
      content: {
        'application/json': {
          examples: {
            App: { value: { name: 'Shop', limit: 10, removed_at: null, team: id, former: id, teams: [id] } },
          },
        },
      },
    },
  ]);
});

test('a field without an example is named', () => {
  const document = aDocument({ teams: { type: 'array', items: { type: 'string' } } });
  expect(() => addExamples(document)).toThrow('App.teams has no example. Add one to the decorator of the field.');
});

test('bodies are closed, responses are not', () => {
  const document = aDocument({});
  closeBodies(document);
  expect(document.components!.schemas).toMatchObject({ Body: { additionalProperties: false } });
  expect(document.components!.schemas!['App']).not.toHaveProperty('additionalProperties');
});
