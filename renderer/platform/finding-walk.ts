/** The open worklist lets the frame's commands walk its findings; there is one worklist at most. */
type Walk = (step: 1 | -1) => void;

let offered: Walk | undefined;

export const findingWalk = {
  /** Offers a walk; the returned function takes it back. */
  offer(walk: Walk): () => void {
    offered = walk;
    return () => {
      if (offered === walk) offered = undefined;
    };
  },
  /** Goes to the next or the previous finding; false where no worklist is open. */
  go(step: 1 | -1): boolean {
    offered?.(step);
    return offered !== undefined;
  },
};
