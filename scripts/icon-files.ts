/** Icon containers of Windows and macOS: both hold PNG pictures as they are. */

/** A square picture: its edge in pixels, and its PNG bytes. */
export interface Picture {
  readonly size: number;
  readonly png: Buffer;
}

const ICO_MOST = 256;

/** Returns a Windows icon (ICO) of the pictures up to 256 pixels. */
export function icoOf(pictures: readonly Picture[]): Buffer {
  const held = pictures.filter(({ size }) => size <= ICO_MOST);
  const head = Buffer.alloc(6 + held.length * 16);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(held.length, 4);
  let offset = head.length;
  for (const [index, { size, png }] of held.entries()) {
    const at = 6 + index * 16;
    // A byte holds no 256; 0 stands for it.
    head.writeUInt8(size % ICO_MOST, at);
    head.writeUInt8(size % ICO_MOST, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...held.map(({ png }) => png)]);
}

/** The types of macOS' icon elements that hold PNG, by size; some sizes have a second one for double density. */
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

/** Returns a macOS icon (ICNS) of the pictures whose size has an element. */
export function icnsOf(pictures: readonly Picture[]): Buffer {
  const elements = ICNS_TYPES.flatMap(([type, size]) => {
    const picture = pictures.find((one) => one.size === size);
    return picture ? [element(type, picture.png)] : [];
  });
  return element('icns', Buffer.concat(elements));
}

function element(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(body.length + head.length, 4);
  return Buffer.concat([head, body]);
}
