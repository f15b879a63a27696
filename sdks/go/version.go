// Code generated from package.json by `npm run generate`. DO NOT EDIT.

package paylatch

// Version is the version of the service that this SDK was released with.
const Version = "0.2.0"
