module paylatch.dev/go

go 1.19
