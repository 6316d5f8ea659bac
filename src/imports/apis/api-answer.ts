import type { SourceRecord } from '../sources/import-source';
import { isObject } from '../../shared/is-object';
import { StrangeAnswer } from './import-api.errors';

/** Reads the parts of an answer, and refuses those that differ from the documentation. */
export class ApiAnswer {
  constructor(
    private readonly apiName: string,
    private readonly value: unknown,
    private readonly member = 'answer',
  ) {}

  /**
   * Returns the answer at a member.
   * @throws StrangeAnswer if this one is no object
   */
  at(member: string): ApiAnswer {
    if (!isObject(this.value)) throw this.#strange(`without ${member}`);
    return new ApiAnswer(this.apiName, this.value[member], member);
  }

  get isAbsent(): boolean {
    return this.value === undefined || this.value === null;
  }

  /**
   * Returns the links of a list, each of them an object.
   * @throws StrangeAnswer
   */
  records(): SourceRecord[] {
    if (!Array.isArray(this.value)) throw this.#strange('without a list of links');
    return this.value.map((item: unknown) => {
      if (!isObject(item)) throw this.#strange('with a link that is no object');
      return item;
    });
  }

  /**
   * Returns the objects of a list as answers.
   * @throws StrangeAnswer
   */
  items(): ApiAnswer[] {
    return this.records().map((record) => new ApiAnswer(this.apiName, record));
  }

  /**
   * Returns the values of an object as a list.
   * @throws StrangeAnswer
   */
  values(): ApiAnswer {
    return new ApiAnswer(this.apiName, isObject(this.value) ? Object.values(this.value) : this.value);
  }

  /**
   * Returns a text or a number as text; null if it is absent or empty.
   * @throws StrangeAnswer
   */
  text(): string | null {
    if (this.isAbsent || this.value === '') return null;
    if (typeof this.value === 'string' || Number.isSafeInteger(this.value)) return String(this.value);
    throw this.#strange(`whose ${this.member} is neither text nor a number`);
  }

  /**
   * Returns a count. Some APIs write numbers as text.
   * @throws StrangeAnswer
   */
  count(): number {
    const count = typeof this.value === 'string' && this.value !== '' ? Number(this.value) : this.value;
    if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0)
      throw this.#strange(`whose ${this.member} is no count`);
    return count;
  }

  #strange(fault: string): StrangeAnswer {
    return new StrangeAnswer(this.apiName, fault);
  }
}
