package state

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxFile bounds ReadFile: what is kept whole in memory is small.
const maxFile = 64 << 20

// WriteFile replaces a file. Readers see the old content or the new, and so
// they do after a crash: data reaches the disk before the name does.
func (d *Dir) WriteFile(name string, data []byte) error {
	if err := checkName(name); err != nil {
		return err
	}
	return d.write(name, data, true)
}

// PutFile is WriteFile without waiting for the disk: after a crash of the system
// readers may see the old content.
func (d *Dir) PutFile(name string, data []byte) error {
	if err := checkName(name); err != nil {
		return err
	}
	return d.write(name, data, false)
}

func (d *Dir) write(name string, data []byte, lasting bool) error {
	if err := d.replace(name, data, lasting); err != nil {
		return fmt.Errorf("writing state %q: %w", name, err)
	}
	return nil
}

// Remove removes a file; it is no error if there is none.
func (d *Dir) Remove(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if err := d.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing state %q: %w", name, err)
	}
	return nil
}

// Stat tells of a file. Files are replaced, never changed: os.SameFile tells
// whether one is still that.
func (d *Dir) Stat(name string) (fs.FileInfo, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	return d.root.Lstat(name)
}

func (d *Dir) replace(name string, data []byte, lasting bool) error {
	// The leading dot keeps it apart from every name that checkName admits.
	tmp := "." + name + "." + rand.Text()
	f, err := d.root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if lasting {
		err = errors.Join(err, f.Sync())
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = d.root.Rename(tmp, name)
	}
	if err != nil {
		return errors.Join(err, d.root.Remove(tmp))
	}
	if !lasting {
		return nil
	}
	return d.sync()
}

// sync makes the rename durable. Some systems can't sync a directory; that
// costs durability in a crash, not atomicity, so it is no error.
func (d *Dir) sync() error {
	f, err := d.root.Open(".")
	if err != nil {
		return err
	}
	_ = f.Sync()
	return f.Close()
}

// ReadFile returns a file's content; errors.Is(err, fs.ErrNotExist) tells that
// there is none.
func (d *Dir) ReadFile(name string) ([]byte, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	data, err := d.read(name)
	var refused *PermissionError
	if err != nil && !errors.As(err, &refused) {
		err = fmt.Errorf("reading state %q: %w", name, err)
	}
	return data, err
}

func (d *Dir) read(name string) (data []byte, err error) {
	// Before opening: opening a fifo would wait for a writer.
	named, err := d.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if err := check(d.join(name), named, 0); err != nil {
		return nil, err
	}
	f, err := d.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	opened, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := check(d.join(name), opened, 0); err != nil { // it may be another by now
		return nil, err
	}
	data, err = io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		return nil, fmt.Errorf("longer than %d bytes", maxFile)
	}
	return data, err
}

func (d *Dir) join(name string) string { return d.path + string(os.PathSeparator) + name }
