import { Injectable } from '@nestjs/common';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { outsideRequests } from '../../platform/postgres/request-context';
import { actorParameter } from '../../platform/postgres/current-actor';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import { newId } from '../../shared/id';
import { foldTag } from './tag';

/** The links that a removal or merge changes itself. A statement with more could exceed its time limit. */
const maxChangedLinks = 200;

/** Attempts at finding or creating tags that others retire at the same time. */
const maxAttempts = 5;

/** Finds, creates and removes tags as changes of links need them. */
@Injectable()
export class PgTagsOfLinksRepository {
  constructor(private readonly context: TransactionContext) {}

  /**
   * Takes the tag from its project at once. Links lose it, or have `mergedInto` in its place. Of many links, some keep an id that
   * nobody sees; `purgeSome` removes it. Returns null if the project has no such tag.
   */
  async retire(projectId: string, id: string, mergedInto: string | null): Promise<{ linksRemain: boolean } | null> {
    const [row] = await this.context.write<{ complete: boolean | null }>(
      'SELECT retire_tag($1, $2, $3, $4) AS complete FROM set_actor($5)',
      [projectId, id, mergedInto, maxChangedLinks, actorParameter()],
    );
    return row!.complete === null ? null : { linksRemain: !row!.complete };
  }

  /**
   * Returns the tags with these names, in their order, and creates those that are missing. They cannot be retired until the
   * unit of work ends.
   */
  async ensure(projectId: string, names: readonly string[]): Promise<{ id: string; name: string; isNew: boolean }[]> {
    if (names.length === 0) return [];
    const folded = names.map(foldTag);
    const created = new Set<string>();
    for (let attempt = 1; ; attempt++) {
      const tagsByName = new Map((await this.#locked(projectId, folded)).map((tag) => [tag.foldedName, tag]));
      const missing = names.filter((_, at) => !tagsByName.has(folded[at]!));
      if (missing.length === 0)
        return folded.map((name) => {
          const tag = tagsByName.get(name)!;
          return { id: tag.id, name: tag.name, isNew: created.has(tag.id) };
        });
      if (attempt === maxAttempts) throw new Error('the tags of the project change too fast');
      for (const { id } of await this.#insertMissing(projectId, missing)) created.add(id);
    }
  }

  /** Locks against retirement only, so that creations of links do not wait for each other. */
  #locked(projectId: string, folded: string[]): Promise<{ id: string; name: string; foldedName: string }[]> {
    return this.context.read(
      `SELECT id, name, folded_name AS "foldedName" FROM tags
       WHERE project_id = $1 AND folded_name = ANY ($2) AND retired_at IS NULL ORDER BY id FOR SHARE`,
      [projectId, folded],
    );
  }

  /** Inserts in one order, so that two creations do not wait for each other. */
  #insertMissing(projectId: string, names: string[]): Promise<{ id: string }[]> {
    return mapConstraintErrors({ tags_project_fk: () => new NotFound('Project') }, () =>
      this.context.write(
        `INSERT INTO tags (id, project_id, name, folded_name)
         SELECT id, $1, name, folded_name FROM unnest($2::uuid[], $3::text[], $4::text[]) AS given (id, name, folded_name)
         ORDER BY folded_name
         ON CONFLICT (project_id, folded_name) WHERE retired_at IS NULL DO NOTHING RETURNING id`,
        [projectId, names.map(() => newId()), names, names.map(foldTag)],
      ),
    );
  }

  /** Removes those of the tags that this unit of work has created and no link has. */
  async removeUnused(ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.context.write(
      'DELETE FROM tags WHERE id = ANY ($1) AND NOT EXISTS (SELECT FROM tag_counts WHERE tag_id = id AND links <> 0)',
      [ids],
    );
  }

  /** Changes the spelling of tags that this unit of work has created. */
  async respell(names: ReadonlyMap<string, string>): Promise<void> {
    if (names.size === 0) return;
    await this.context.write(
      `UPDATE tags SET name = given.name FROM unnest($1::uuid[], $2::text[]) AS given (id, name)
       WHERE tags.id = given.id`,
      [[...names.keys()], [...names.values()]],
    );
  }

  /** Returns the ids that links with the tag may have: its own first, then those of tags that were merged into it. */
  async idsOf(projectId: string, name: string): Promise<string[]> {
    const rows = await this.context.read<{ id: string }>(
      `WITH named AS (SELECT id FROM tags WHERE project_id = $1 AND folded_name = $2 AND retired_at IS NULL)
       SELECT id FROM named UNION ALL SELECT merged.id FROM tags merged JOIN named ON merged.merged_into = named.id`,
      [projectId, foldTag(name)],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Returns the ids of `idsOf` by the folded name of each tag that the project has. Those tags cannot be renamed, merged or retired
   * until the unit of work ends.
   */
  async holdIdsOf(projectId: string, names: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
    if (names.length === 0) return new Map();
    const held = await this.#locked(projectId, names.map(foldTag));
    const merged = await this.context.read<{ id: string; into: string }>(
      'SELECT id, merged_into AS into FROM tags WHERE merged_into = ANY ($1)',
      [held.map(({ id }) => id)],
    );
    return new Map(
      held.map((tag) => [
        tag.foldedName,
        [tag.id, ...merged.filter(({ into }) => into === tag.id).map(({ id }) => id)],
      ]),
    );
  }

  /** Removes a retired tag from up to `batch` links. Returns true if no retired tag is left for this process. */
  async purgeSome(batch: number): Promise<boolean> {
    // The purge may take longer than the request that began it.
    const [row] = await outsideRequests(() =>
      this.context.write<{ done: boolean }>('SELECT purge_retired_tags($1) AS done', [batch]),
    );
    return row!.done;
  }
}
