"""Search over the kernel: chance, playouts. Compiled where a compiler was there."""
