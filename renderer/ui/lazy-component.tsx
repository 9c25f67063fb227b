import type { ComponentType, FunctionComponent } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import { createLazyModule, useLazyModule, type LazyModule } from './lazy-module.ts';
import { SkeletonRows } from './query-state.tsx';
import styles from './ui.module.css';

/**
 * Returns a view whose code is loaded when it is first rendered. Its error boundary shows a failure. The
 * placeholder appears only if loading takes long, because one that vanishes at once would flash.
 */
export function lazyView<Props extends object>(
  importView: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> {
  return toLazyView(createLazyModule(importView));
}

/** Returns the view of a module that is also loaded in advance. */
export function toLazyView<Props extends object>(
  module: LazyModule<ComponentType<Props>>,
): FunctionComponent<Props> {
  return function LazyView(props) {
    const View = useLazyModule(module);
    if (View) return <View {...props} />;
    return (
      <div className={styles.late}>
        <SkeletonRows count={6} />
      </div>
    );
  };
}

/** Returns a dialog whose code is loaded when it is first opened. A failure is shown as a dialog as well. */
export function lazyDialog<Props extends { readonly onClose: () => void }>(
  importDialog: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> {
  const module = createLazyModule(importDialog);
  function Content(props: Props) {
    const Dialog = useLazyModule(module);
    return Dialog && <Dialog {...props} />;
  }
  return function LazyDialog(props) {
    return (
      <ErrorBoundary onClose={props.onClose}>
        <Content {...props} />
      </ErrorBoundary>
    );
  };
}
