module paylatch

go 1.19
