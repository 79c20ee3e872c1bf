module moire

go 1.26
