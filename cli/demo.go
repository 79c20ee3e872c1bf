package cli

import "errors"

type demoCmd struct{}

func (demoCmd) Run() error { return errors.New("not yet") }
