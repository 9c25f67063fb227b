/** What the tests use of a package that brings no types. */
declare module '@lhncbc/ucum-lhc' {
  interface UcumLibrary {
    readonly validateUnitString: (
      code: string,
      suggest: boolean,
    ) => { readonly status: 'valid' | 'invalid' | 'error'; readonly msg: readonly string[] };
  }
  const ucum: { readonly UcumLhcUtils: { readonly getInstance: () => UcumLibrary } };
  export default ucum;
}
