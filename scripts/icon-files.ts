/** Icon containers of Windows and macOS. Both contain unchanged PNG pictures. */

/** A square picture: its size in pixels and its PNG bytes. */
export interface Picture {
  readonly size: number;
  readonly png: Buffer;
}

const MAX_ICO_SIZE = 256;

/** Returns a Windows icon (ICO) of the pictures up to 256 pixels. */
export function createIco(pictures: readonly Picture[]): Buffer {
  const icoPictures = pictures.filter(({ size }) => size <= MAX_ICO_SIZE);
  const header = Buffer.alloc(6 + icoPictures.length * 16);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(icoPictures.length, 4);
  let offset = header.length;
  for (const [index, { size, png }] of icoPictures.entries()) {
    const entryOffset = 6 + index * 16;
    // A byte cannot store 256, so 0 stands for it.
    header.writeUInt8(size % MAX_ICO_SIZE, entryOffset);
    header.writeUInt8(size % MAX_ICO_SIZE, entryOffset + 1);
    header.writeUInt16LE(1, entryOffset + 4);
    header.writeUInt16LE(32, entryOffset + 6);
    header.writeUInt32LE(png.length, entryOffset + 8);
    header.writeUInt32LE(offset, entryOffset + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...icoPictures.map(({ png }) => png)]);
}

/**
 * Types of macOS icon elements with PNG content, by size. Some sizes have a second type for double density.
 */
const ICNS_TYPES: readonly (readonly [type: string, size: number])[] = [
  ['icp4', 16],
  ['icp5', 32],
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic08', 256],
  ['ic13', 256],
  ['ic09', 512],
  ['ic14', 512],
  ['ic10', 1024],
];

/** Returns a macOS icon (ICNS) of the pictures with a supported size. */
export function createIcns(pictures: readonly Picture[]): Buffer {
  const elements = ICNS_TYPES.flatMap(([type, size]) => {
    const picture = pictures.find((candidate) => candidate.size === size);
    return picture ? [createElement(type, picture.png)] : [];
  });
  return createElement('icns', Buffer.concat(elements));
}

function createElement(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(body.length + head.length, 4);
  return Buffer.concat([head, body]);
}
