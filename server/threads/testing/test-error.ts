/** An error with a member. */
export class TestError extends Error {
  override readonly name = 'TestError';
  readonly member: unknown;

  constructor(member: unknown) {
    super('thrown');
    this.member = member;
  }
}
